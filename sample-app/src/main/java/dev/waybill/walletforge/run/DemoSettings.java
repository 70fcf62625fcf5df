package dev.waybill.walletforge.run;

import dev.waybill.walletforge.input.PaymentInput;
import dev.waybill.walletforge.servicebus.ServiceBusAddress;
import java.util.Optional;

/**
 * What to run.
 *
 * @param input the payments
 * @param seed of faults
 * @param faults whether there are any; only with the embedded bus
 * @param jdbcUrl a database to use instead of the embedded one
 * @param serviceBus a bus to use instead of the embedded one
 */
public record DemoSettings(
        PaymentInput input,
        long seed,
        boolean faults,
        Optional<String> jdbcUrl,
        Optional<ServiceBusAddress> serviceBus) {}
