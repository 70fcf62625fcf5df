/** The files a run leaves behind: balances as CSV, figures as JSON. */
@NullMarked
package dev.waybill.walletforge.demo.report;

import org.jspecify.annotations.NullMarked;
