/** Runs Waybill through disasters as separate processes, and judges by what a user can see. */
@NullMarked
package dev.waybill.proof;

import org.jspecify.annotations.NullMarked;
