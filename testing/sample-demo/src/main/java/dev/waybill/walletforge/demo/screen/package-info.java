/** The screen while a run goes on, and the proof as a table at its end. */
@NullMarked
package dev.waybill.walletforge.demo.screen;

import org.jspecify.annotations.NullMarked;
