/** Statements: bodies above the broker's limit, which travel by claim check. */
@NullMarked
package dev.waybill.walletforge.statement;

import org.jspecify.annotations.NullMarked;
