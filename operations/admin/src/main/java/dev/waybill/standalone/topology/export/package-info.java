/**
 * Exports the declaration as templates of other tools.
 *
 * <pre>
 *   Declaration ─▶ Template (namespace, entities, grants, alerts, workbook) ─┬─▶ Resources ─┬─▶ Bicep
 *                                                                            │              └─▶ ARM JSON
 *                                                                            ├─▶ Terraform
 *                                                                            ├─▶ az script
 *                                                                            └─▶ the emulator's Config.json
 * </pre>
 *
 * <p>All formats render the same template. Each renderer escapes names and filters for its format.
 */
@NullMarked
package dev.waybill.standalone.topology.export;

import org.jspecify.annotations.NullMarked;
