/**
 * The schema of Waybill's tables: its name, a generated class for each table (package {@code jooq}), and helpers for
 * connections. All tables are in one schema, apart from the application's. The module {@code migrations} creates them.
 */
@NullMarked
package dev.waybill.schema;

import org.jspecify.annotations.NullMarked;
