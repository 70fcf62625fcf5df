/** Where the spans of the standalone relay go. */
@NullMarked
package dev.waybill.standalone.tracing;

import org.jspecify.annotations.NullMarked;
