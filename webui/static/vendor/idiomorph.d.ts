/** As much of idiomorph as page/morph.js uses. */
export const Idiomorph: {
  morph(
    old: Node,
    fresh: Node | string | Node[],
    options: {
      morphStyle: "outerHTML" | "innerHTML";
      callbacks: {
        beforeAttributeUpdated(name: string, of: Element, kind: "update" | "remove"): boolean;
        beforeNodeMorphed(old: Node, fresh: Node): boolean;
        beforeNodeRemoved(node: Node): boolean;
        beforeNodeAdded(fresh: Node): boolean;
        afterNodeAdded(node: Node): void;
      };
    },
  ): void;
};
