/** The databases of the standalone relay: connection pools, and what operators read from them. */
@NullMarked
package dev.waybill.standalone.database;

import org.jspecify.annotations.NullMarked;
