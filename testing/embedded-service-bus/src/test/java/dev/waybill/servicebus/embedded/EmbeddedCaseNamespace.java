package dev.waybill.servicebus.embedded;

import com.azure.messaging.servicebus.ServiceBusClientBuilder;
import com.azure.messaging.servicebus.administration.ServiceBusAdministrationClient;
import com.azure.messaging.servicebus.administration.ServiceBusAdministrationClientBuilder;
import dev.waybill.servicebus.embedded.azure.EmbeddedAdministrationPolicy;
import dev.waybill.servicebus.embedded.entity.EntitySnapshot;
import java.util.List;

/** A broker in this process, for one case. */
final class EmbeddedCaseNamespace implements CaseNamespace {
    private final EmbeddedServiceBus bus;

    EmbeddedCaseNamespace(EmbeddedServiceBusBuilder described) {
        bus = described.administrationPort(0).start();
    }

    @Override
    public String name(String described) {
        return described;
    }

    @Override
    public ServiceBusClientBuilder client() {
        return new ServiceBusClientBuilder().connectionString(bus.connectionString());
    }

    @Override
    public ServiceBusAdministrationClient administration() {
        return new ServiceBusAdministrationClientBuilder()
                .connectionString(bus.connectionString())
                .addPolicy(EmbeddedAdministrationPolicy.of(bus))
                .buildClient();
    }

    @Override
    public EntityCounts inspect(String path) {
        return new Snapshot(bus.inspect(path));
    }

    @Override
    public List<String> ids(String path) {
        return PeekedCounts.of(this, path).ids();
    }

    @Override
    public EmbeddedServiceBus embedded(String why) {
        return bus;
    }

    @Override
    public void close() {
        bus.close();
    }

    private record Snapshot(EntitySnapshot snapshot) implements EntityCounts {
        @Override
        public int active() {
            return snapshot.active();
        }

        @Override
        public int deferred() {
            return snapshot.deferred();
        }

        @Override
        public int scheduled() {
            return snapshot.scheduled();
        }

        @Override
        public int deadLetters() {
            return snapshot.deadLetters();
        }

        @Override
        public int transferDeadLetters() {
            return snapshot.transferDeadLetters();
        }
    }
}
