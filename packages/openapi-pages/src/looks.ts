// What a site has of its own: a logo, colors and links.

export interface LooksOptions {
  /** A file, SVG or PNG, in place of the icon. */
  logo?: URL
  /** A PNG file of 1200 by 630 pixels, which sites show that link to a page. */
  picture?: URL
  /** Of the parts that base.css names: a CSS color, or one for the light scheme and one for the dark. */
  colors?: Partial<Record<Color, string | readonly [light: string, dark: string]>>
  /** Above the contents of each page. */
  links?: readonly { text: string; url: string }[]
}

type Color =
  | ('accent' | 'onAccent' | 'page' | 'surface' | 'text' | 'muted' | 'line')
  | ('info' | 'bad' | 'warn' | 'warnSurface')

/** @throws for what no style sheet can have as a color */
export function themeOf(colors: LooksOptions['colors'] = {}): string {
  const lines = Object.entries(colors).map(([name, color]) => {
    const values = [color].flat()
    const wrong = values.find((value) => !/^[#\w\s.,%()/-]+$/.test(value))
    if (wrong !== undefined) throw new Error(`colors.${name}: ${wrong} is not a color`)
    const property = name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
    return `--${property}:${values.length > 1 ? `light-dark(${values.join()})` : values};`
  })
  return `:root{${lines.join('')}}`
}
