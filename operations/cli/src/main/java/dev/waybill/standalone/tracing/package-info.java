/** The export of spans. */
@NullMarked
package dev.waybill.standalone.tracing;

import org.jspecify.annotations.NullMarked;
