import type { Page } from "playwright-core";

/** Visible texts with less contrast to what is behind them than WCAG 2.2 asks for (1.4.3), each with its ratio. */
export function faintTexts(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const canvas = document.createElement("canvas");
    canvas.width = 1;
    canvas.height = 1;
    const context = canvas.getContext("2d", { willReadFrequently: true })!;

    /** Colours one over the other, as the browser itself mixes them. */
    const mixed = (colours: readonly string[]): readonly number[] => {
      context.clearRect(0, 0, 1, 1);
      for (const colour of colours) {
        context.fillStyle = colour;
        context.fillRect(0, 0, 1, 1);
      }
      return [...context.getImageData(0, 0, 1, 1).data.slice(0, 3)];
    };
    const luminance = (rgb: readonly number[]): number => {
      const [r = 0, g = 0, b = 0] = rgb.map((octet) => {
        const part = octet / 255;
        return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
      });
      return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };

    const faint: string[] = [];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      const element = walker.currentNode.parentElement!;
      const text = walker.currentNode.textContent?.trim() ?? "";
      if (
        text === "" ||
        !element.checkVisibility() ||
        element.closest("script, style, .hidden, legend, :disabled")
      )
        continue;
      const behind: string[] = [];
      for (let at: Element | null = element; at; at = at.parentElement)
        behind.unshift(getComputedStyle(at).backgroundColor);
      const back = luminance(mixed(behind));
      const front = luminance(mixed([...behind, getComputedStyle(element).color]));
      const ratio = (Math.max(back, front) + 0.05) / (Math.min(back, front) + 0.05);
      if (ratio < 4.5) faint.push(`${ratio.toFixed(2)} ${text.slice(0, 40)}`);
    }
    return [...new Set(faint)];
  });
}
