import fc from "fast-check";

/** Pieces of HTML at their worst, and documents made of them, for tests against another parser. */

const ELEMENTS = (
  "a a a b i nobr p div span ul li dd table table caption colgroup col tbody tr td th svg svg math foreignObject desc " +
  "mi mtext annotation-xml mglyph g path title title style script textarea template template noscript iframe xmp " +
  "noembed noframes plaintext frameset frame base link meta img br hr input form button h1 applet object font head " +
  "body html area pre ruby rt unknown-x"
).split(" ");

const space = fc.constantFrom(" ", "\n", "\t", "\f", "\r\n", " / ", "/");

const attributeName = fc.constantFrom(
  "href",
  "HREF",
  "src",
  "rel",
  "name",
  "content",
  "http-equiv",
  "xlink:href",
  "encoding",
  "color",
  "type",
  "a<b",
  '"',
  "=x",
  "h\0ref",
);

const attributeValue = fc.constantFrom(
  "/x",
  "a b",
  "?a=1&copy=2&copy;&lt=3&amp",
  "&#128;&#0;&#xD800;&#x110000;&notit;&notin;",
  "line\r\nfeed\rx",
  "n\0l",
  ">",
  "<a href=no>",
  "canonical NEXT",
  "text/html",
  "hidden",
  "'",
  "",
);

const attribute = fc
  .tuple(
    space,
    attributeName,
    fc.constantFrom("=", " = ", "=\n"),
    fc.constantFrom('"', "'", ""),
    attributeValue,
  )
  .map(([before, name, equals, quote, value]) => {
    if (quote === "") return `${before}${name}${equals}${value.replaceAll(/[\s>]/g, "")}`;
    return `${before}${name}${equals}${quote}${value.replaceAll(quote, "")}${quote}`;
  });

const startTagOf = (names: string[]): fc.Arbitrary<string> =>
  fc
    .tuple(
      fc.constantFrom(...names),
      fc.array(
        fc.oneof(
          attribute,
          attribute,
          fc.tuple(space, attributeName).map(([s, n]) => s + n),
        ),
        { maxLength: 3 },
      ),
      fc.constantFrom(">", ">", ">", "/>", " >", " / >"),
      fc.boolean(),
    )
    .map(
      ([name, attributes, end, upper]) =>
        `<${upper ? name.toUpperCase() : name} n=@${attributes.join("")}${end}`,
    );

const endTagOf = (names: string[]): fc.Arbitrary<string> =>
  fc
    .tuple(fc.constantFrom(...names), fc.constantFrom(">", ">", ">", " >", "/>", " x='>'>"))
    .map(([name, end]) => `</${name}${end}`);

const oddity = fc.constantFrom(
  "<!--x-->",
  "<!-->",
  "<!--->",
  "<!--a--!>",
  "<!--a--->",
  "<!-- <a href=no> -->",
  "<!--",
  "-->",
  "<!x>",
  "<?php '>' ?>",
  "</>",
  "</ x>",
  "<![CDATA[<a href=cdata>]]>",
  // Where HTML goes on inside of an SVG or MathML element, parse5 takes this for a comment, the standard for a section.
  // Both leave text behind.
  "<![CDATA[ x> ]]>",
  "]]>",
  "<!doctype html>",
  "<script><!-- <script></script> --></script>",
  "<script><!--<script ></script",
  "<svg><title><p></title>",
  "<svg><desc>",
  "<math><mi>",
  '<math><annotation-xml encoding="text/html">',
  "<",
  "<<",
  "</",
  "<a",
  '<a href="',
  "\0",
);

const text = fc.constantFrom("x", " ", "\n", "\r", "text &amp; more", "&nbsp;", "&#32;", "a\0b", "&", "é");

const pieceOf = (names: string[]): fc.Arbitrary<string> =>
  fc.oneof(
    { arbitrary: startTagOf(names), weight: 6 },
    { arbitrary: endTagOf(names), weight: 4 },
    { arbitrary: text, weight: 3 },
    { arbitrary: oddity, weight: 2 },
  );

// In a template that stands in a table, parse5 lets a second table close the first; by the standard the scope of a
// table ends at a template. https://html.spec.whatwg.org/#has-an-element-in-table-scope
const PIECES = [
  pieceOf(ELEMENTS.filter((name) => name !== "template")),
  pieceOf(ELEMENTS.filter((name) => name !== "table")),
];

/** A document of up to so many pieces. Most start tags can be told apart by their attribute `n`. */
export function nastyHtml(maxLength: number): fc.Arbitrary<string> {
  return fc
    .oneof(...PIECES.map((piece) => fc.array(piece, { maxLength, size: "max" })))
    .map((pieces) => pieces.map((source, index) => source.replace("@", `${index}`)).join(""));
}

/** Pieces without tables, templates or foreign content: all their text stands in the tree, in its order. */
export function plainPieces(maxLength: number): fc.Arbitrary<string> {
  const tag = fc.constantFrom(
    ..."<b> </b> <i x='&lt;'> </i> <p> <span/> <!--x--> <!--> </> <script> </script>".split(" "),
  );
  const raw = fc.constantFrom(
    ..."<style> </style> <title> </title> <xmp> </xmp> <iframe> </iframe> <?x> <script>".split(" "),
  );
  const part = fc.oneof(
    tag,
    raw,
    text,
    fc.constantFrom("<", "</", "&#0;", "&#13;", "\r\n", "<!--<script>", "-->"),
  );
  return fc.array(part, { maxLength, size: "max" }).map((parts) => parts.join(""));
}
