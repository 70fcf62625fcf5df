/**
 * Removes content from letters: whole fields, application properties, or values at a path of a JSON body.
 *
 * <p>A redaction covers the row, its former versions and its document. A redacted letter can be neither edited nor re-driven. A body
 * that is not JSON is left as it is and reported.
 */
@NullMarked
package dev.waybill.deadletter.redact;

import org.jspecify.annotations.NullMarked;
