/** The judges. They share no code with Waybill. */
@NullMarked
package dev.waybill.proof.check;

import org.jspecify.annotations.NullMarked;
