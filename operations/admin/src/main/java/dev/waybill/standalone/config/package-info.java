/**
 * The configuration of the standalone relay: its sources, its options and their checks.
 *
 * <pre>
 *   flag ─▶ system property ─▶ environment ─▶ file ─▶ default      the first that has a value wins
 *                              │
 *                              └─▶ Settings (text and origin of every option) ─▶ Configuration (immutable, checked)
 * </pre>
 *
 * <p>Every option is declared once, in {@code Options}: its name, unit, default and meaning. The page of the
 * manual is made from there.
 */
@NullMarked
package dev.waybill.standalone.config;

import org.jspecify.annotations.NullMarked;
