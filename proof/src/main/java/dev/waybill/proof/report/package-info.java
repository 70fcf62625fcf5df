/** The verdict for a reader. */
@NullMarked
package dev.waybill.proof.report;

import org.jspecify.annotations.NullMarked;
