/**
 * The operators' console of the standalone relay beside a run: a process of its own, as in production. It knows the
 * database and nothing else of the run.
 */
@NullMarked
package dev.waybill.walletforge.demo.console;

import org.jspecify.annotations.NullMarked;
