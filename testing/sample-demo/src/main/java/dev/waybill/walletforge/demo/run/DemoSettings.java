package dev.waybill.walletforge.demo.run;

import dev.waybill.walletforge.demo.input.PaymentInput;
import dev.waybill.walletforge.servicebus.ServiceBusAddress;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * The settings of a run.
 *
 * @param input the payments
 * @param faultSeed decides the faults; without one there are none, and with a given bus either
 * @param jdbcUrl a database to use instead of the embedded one
 * @param serviceBus a bus to use instead of the embedded one
 * @param consolePort where the console is served, 0 for any free port; without one there is no console, and the demo
 *     plays the operator itself
 * @param patience how long nothing may move before the run is judged as it stands
 */
public record DemoSettings(
        PaymentInput input,
        OptionalLong faultSeed,
        Optional<String> jdbcUrl,
        Optional<ServiceBusAddress> serviceBus,
        OptionalInt consolePort,
        Duration patience) {}
