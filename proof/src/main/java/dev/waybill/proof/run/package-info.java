/** A run from the first process to the verdict. */
@NullMarked
package dev.waybill.proof.run;

import org.jspecify.annotations.NullMarked;
