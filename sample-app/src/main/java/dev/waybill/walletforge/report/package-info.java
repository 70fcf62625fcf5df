/** The files a run leaves behind: balances as CSV, figures as JSON. */
@NullMarked
package dev.waybill.walletforge.report;

import org.jspecify.annotations.NullMarked;
