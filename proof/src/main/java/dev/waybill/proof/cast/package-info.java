/** The processes of a run, and their links. */
@NullMarked
package dev.waybill.proof.cast;

import org.jspecify.annotations.NullMarked;
