/**
 * The schema that holds Waybill's tables: its name, the version that this code was written for, connections whose statements
 * commit, and, in the package {@code jooq}, a generated class for each table.
 *
 * <p>All tables stand in one schema of their own, by default {@code waybill}, so that they cannot meet those of the
 * application. The module {@code migrations} creates them; nothing in here needs it.
 */
@NullMarked
package dev.waybill.schema;

import org.jspecify.annotations.NullMarked;
