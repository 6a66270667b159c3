// Maps whose copies cost what has changed, not what they contain: with ten thousand domains, each save makes a copy.

/** Copies share a base, which nobody changes, and each has what differs from it. */
class LayeredMap<Value> extends Map<string, Value> {
  base: ReadonlyMap<string, Value>
  /** Other values for keys of the base, in its order. */
  readonly replaced = new Map<string, Value>()
  /** Keys of the base that have been deleted, perhaps to be added again. */
  readonly deleted = new Set<string>()
  /** In the order in which they were added. */
  readonly added = new Map<string, Value>()

  constructor(base: ReadonlyMap<string, Value>) {
    super()
    this.base = base
  }

  /** @returns how much it differs from its base */
  get weight(): number {
    return this.replaced.size + this.deleted.size + this.added.size
  }

  isInBase(key: string): boolean {
    return this.base.has(key) && !this.deleted.has(key)
  }

  override get size(): number {
    return this.base.size - this.deleted.size + this.added.size
  }

  override get(key: string): Value | undefined {
    return this.added.get(key) ?? this.replaced.get(key) ?? (this.deleted.has(key) ? undefined : this.base.get(key))
  }

  override has(key: string): boolean {
    return this.added.has(key) || this.isInBase(key)
  }

  override set(key: string, value: Value): this {
    const layer = this.isInBase(key) ? this.replaced : this.added
    layer.set(key, value)
    return this
  }

  override delete(key: string): boolean {
    if (this.added.delete(key)) return true
    if (!this.isInBase(key)) return false
    this.replaced.delete(key)
    this.deleted.add(key)
    return true
  }

  override clear(): void {
    this.base = new Map()
    for (const layer of [this.replaced, this.deleted, this.added]) layer.clear()
  }

  override *entries(): MapIterator<[string, Value]> {
    for (const [key, value] of this.base) if (!this.deleted.has(key)) yield [key, this.replaced.get(key) ?? value]
    yield* this.added
  }

  override *keys(): MapIterator<string> {
    for (const [key] of this) yield key
  }

  override *values(): MapIterator<Value> {
    for (const [, value] of this) yield value
  }

  override forEach(use: (value: Value, key: string, map: Map<string, Value>) => void): void {
    for (const [key, value] of this) use(value, key, this)
  }

  override [Symbol.iterator](): MapIterator<[string, Value]> {
    return this.entries()
  }
}

/** Lighter maps keep their base, however small it is. */
const LEAST_WEIGHT = 64

/**
 * Makes a copy that can be changed; the original must not change afterwards. No value is null or undefined. A map heavier
 * than the square root of its size gets a new base, so that the cost of a copy grows only with that.
 */
export function copyOf<Value>(map: ReadonlyMap<string, Value>): Map<string, Value> {
  if (!(map instanceof LayeredMap)) return new LayeredMap(map)
  if (map.weight > Math.max(LEAST_WEIGHT, Math.sqrt(map.size))) return new LayeredMap(new Map(map))
  const copy = new LayeredMap<Value>(map.base)
  for (const [key, value] of map.replaced) copy.replaced.set(key, value)
  for (const key of map.deleted) copy.deleted.add(key)
  for (const [key, value] of map.added) copy.added.set(key, value)
  return copy
}

/** The keys whose values differ. */
export function keysThatDiffer<Value>(before: ReadonlyMap<string, Value>, after: ReadonlyMap<string, Value>): string[] {
  if (before === after) return []
  const layers = [before, after].map((map) => (map instanceof LayeredMap ? map : new LayeredMap(map)))
  const [{ base }] = layers as [LayeredMap<Value>]
  const isShared = layers.every((layer) => layer.base === base)
  const keys = layers.flatMap((layer) =>
    isShared ? [...layer.replaced.keys(), ...layer.deleted, ...layer.added.keys()] : [...layer.keys()],
  )
  return [...new Set(keys)].filter((key) => before.get(key) !== after.get(key))
}
