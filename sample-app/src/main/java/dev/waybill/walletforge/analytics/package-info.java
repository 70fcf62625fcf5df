/** Totals of each day, fifty events in one transaction. */
@NullMarked
package dev.waybill.walletforge.analytics;

import org.jspecify.annotations.NullMarked;
