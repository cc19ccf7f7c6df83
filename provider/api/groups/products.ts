import { z } from "zod";
import type { Call } from "../caller.ts";
import type { ProductCreate, ProductFilter, ProductList, ProductSearch, ProductUpdate } from "../inputs.ts";
import type { IterateOptions, Pager } from "../paging.ts";
import { deleted, product } from "../records.ts";

const products = z.array(product);

export function productsGroup(call: Call, pager: Pager) {
  const list = (query?: ProductList) => call("listProducts", products, { query: { ...query } });
  return {
    list,
    iterate: (filter?: ProductFilter, options?: IterateOptions) =>
      pager.pages("listProducts", (paging) => list({ ...filter, ...paging }), options),
    create: (body: ProductCreate) => call("createProduct", product, { body }),
    update: (body: ProductUpdate) => call("updateProduct", product, { body }),
    search: (query: ProductSearch) => call("searchProducts", products, { query: { ...query } }),
    read: (productId: string) => call("getProduct", product, { ids: { productId } }),
    delete: (productId: string) => call("deleteProduct", deleted, { ids: { productId } }),
  };
}
