/**
 * The declaration, as a template of other tools.
 *
 * <pre>
 *   Declaration ─▶ Template (namespace, entities, grants, alerts, workbook) ─┬─▶ Resources ─┬─▶ Bicep
 *                                                                   │              └─▶ ARM JSON
 *                                                                   ├─▶ Terraform
 *                                                                   ├─▶ az script
 *                                                                   └─▶ the emulator's Config.json
 * </pre>
 *
 * <p>A template is made once, and every format has its values from there. Texts of the declaration are data in each of them: names and
 * filters are escaped as the format needs it.
 */
@NullMarked
package dev.waybill.standalone.topology.export;

import org.jspecify.annotations.NullMarked;
