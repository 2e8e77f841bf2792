/** A drawing that core made; its text is escaped there. */
export function Figure({ svg }: { svg: string }) {
  return <div class="plot" dangerouslySetInnerHTML={{ __html: svg }} />;
}
