package dev.waybill.walletforge.run;

import dev.waybill.walletforge.input.PaymentInput;
import dev.waybill.walletforge.servicebus.ServiceBusAddress;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The settings of a run.
 *
 * @param input the payments
 * @param faultSeed decides the faults; without one there are none, and with a given bus either
 * @param jdbcUrl a database to use instead of the embedded one
 * @param serviceBus a bus to use instead of the embedded one
 * @param patience how long nothing may move before the run is judged as it stands
 */
public record DemoSettings(
        PaymentInput input,
        OptionalLong faultSeed,
        Optional<String> jdbcUrl,
        Optional<ServiceBusAddress> serviceBus,
        Duration patience) {}
