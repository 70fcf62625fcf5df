/** Troubles. */
@NullMarked
package dev.waybill.proof.nemesis;

import org.jspecify.annotations.NullMarked;
