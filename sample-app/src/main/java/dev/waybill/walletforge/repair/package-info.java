/**
 * What the night is for: a rule repairs payments that the ledger could not read, closed dead letters go to an archive for six
 * weeks, and what is older than its time is removed.
 */
@NullMarked
package dev.waybill.walletforge.repair;

import org.jspecify.annotations.NullMarked;
