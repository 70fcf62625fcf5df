/** Waybill with one mistake at a time. */
@NullMarked
package dev.waybill.proof.plant;

import org.jspecify.annotations.NullMarked;
