/**
 * Removes fields, properties, or values at a path of a JSON body from a letter, its former versions and its document.
 *
 * <p>A redacted letter can be neither edited nor re-driven. A body that is not JSON is left alone and reported.
 */
@NullMarked
package dev.waybill.deadletter.redact;

import org.jspecify.annotations.NullMarked;
