/**
 * The broker as a program of its own, described by the same {@code Config.json} as Microsoft's emulator. Needs
 * jackson-core, which the runnable jar contains.
 */
@NullMarked
package dev.waybill.servicebus.embedded.emulator;

import org.jspecify.annotations.NullMarked;
