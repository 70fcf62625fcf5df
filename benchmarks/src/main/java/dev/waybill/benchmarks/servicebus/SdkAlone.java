package dev.waybill.benchmarks.servicebus;

import com.azure.messaging.servicebus.ServiceBusClientBuilder;
import dev.waybill.benchmarks.environment.Backlog;

/** What a service has that uses the Azure SDK without Waybill. */
public final class SdkAlone {
    private SdkAlone() {}

    /** Connects a sender, and starts a session processor; they end with the process. */
    public static void start(String connectionString) {
        var sdk = new ServiceBusClientBuilder().connectionString(connectionString);
        sdk.sender().queueName(Backlog.DESTINATION).buildClient().createMessageBatch();
        sdk.sessionProcessor()
                .queueName(Backlog.DESTINATION)
                .processMessage(message -> {})
                .processError(error -> {})
                .buildProcessorClient()
                .start();
    }
}
