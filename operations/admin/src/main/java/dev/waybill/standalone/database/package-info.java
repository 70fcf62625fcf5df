/** The databases of the standalone relay: pools, and what an operator sees in them. */
@NullMarked
package dev.waybill.standalone.database;

import org.jspecify.annotations.NullMarked;
