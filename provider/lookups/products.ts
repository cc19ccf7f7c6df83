import { MissingOperationError, type LandformApi, type Product } from "../api/index.ts";
import { collect, findOne, LookupError, shown, wired, type Limit, type One, type Shown } from "./find.ts";

export interface ProductQuery extends Limit {
  readonly projectId?: string;
  readonly type?: "simple" | "bundle";
}

/** One product, by its id or its name. */
export async function getProduct(api: LandformApi, wanted: One): Promise<Shown<Product>> {
  const record = await findOne(
    {
      what: "product",
      nameOf: ({ name }) => name,
      read: (id) => readProduct(api, id),
      search: (query) => api.products.search({ query, limit: 100 }),
      all: () => api.products.iterate(),
    },
    wanted,
  );
  return shown(record);
}

export async function listProducts(
  api: LandformApi,
  { limit, ...filter }: ProductQuery = {},
): Promise<Shown<Product>[]> {
  return (await collect(api.products.iterate(wired(filter), { limit }))).map(shown);
}

/** The specification names no path that reads one product; where the service has none, its search takes an exact id. */
async function readProduct(api: LandformApi, id: string): Promise<Product> {
  try {
    return await api.products.read(id);
  } catch (error) {
    if (!(error instanceof MissingOperationError)) throw error;
    const record = (await api.products.search({ product_id: id })).find((row) => row.id === id);
    if (record) return record;
    throw new LookupError(`There is no product "${id}" in this account (GET /search/products).`);
  }
}
