/** Data files: their readers, and what several of them say in order. */
export { quotedCell, readCsv, scanCsv, type Cell, type Csv } from "./csv.ts";
export { DataFiles, dataReaders, type Asking, type DataFile, type DataReader } from "./files.ts";
export { readJson } from "./json.ts";
export { layerOf, layerOfMap, localeChain, overlaid, type Columns, type Layer, type Sourced } from "./layers.ts";
export { isSendable, NO_VALUE_HINT, respelledScalar } from "./layers.ts";
export { jsonOf, type DataEntry, type DataList, type DataMap, type DataScalar, type DataValue } from "./value.ts";
export { readLayers, sourceLayers, type FileLayer, type FolderLayer } from "./layers.ts";
export { dataOf, readYaml } from "./json.ts";
