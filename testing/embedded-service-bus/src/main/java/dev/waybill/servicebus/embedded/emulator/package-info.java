/**
 * The broker as a program, configured by the {@code Config.json} of Microsoft's emulator. Needs jackson-core, which the runnable jar
 * contains.
 */
@NullMarked
package dev.waybill.servicebus.embedded.emulator;

import org.jspecify.annotations.NullMarked;
