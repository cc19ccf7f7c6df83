/**
 * LANDFORM_PLAIN_SDK=1 turns off all that this folder does: the SDK's modules run as they are written and speak gRPC, and no
 * process or question is begun before its turn. It tells whether a fault is ours.
 */
export function isPlainSdk(): boolean {
  return process.env["LANDFORM_PLAIN_SDK"] === "1";
}
