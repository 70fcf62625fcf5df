package dev.waybill.spring.test;

import dev.waybill.spring.servicebus.ServiceBusConnectionDetails;
import org.springframework.boot.testcontainers.service.connection.ContainerConnectionDetailsFactory;
import org.springframework.boot.testcontainers.service.connection.ContainerConnectionSource;
import org.testcontainers.azure.ServiceBusEmulatorContainer;

/** {@code @ServiceConnection} on a container with Microsoft's emulator. The same for Testcontainers 1.21 and 2. */
final class EmulatorConnectionDetailsFactory
        extends ContainerConnectionDetailsFactory<ServiceBusEmulatorContainer, ServiceBusConnectionDetails> {
    @Override
    protected ServiceBusConnectionDetails getContainerConnectionDetails(
            ContainerConnectionSource<ServiceBusEmulatorContainer> source) {
        return new Details(source);
    }

    private static final class Details extends ContainerConnectionDetails<ServiceBusEmulatorContainer>
            implements ServiceBusConnectionDetails {
        Details(ContainerConnectionSource<ServiceBusEmulatorContainer> source) {
            super(source);
        }

        @Override
        public String connectionString() {
            return getContainer().getConnectionString();
        }
    }
}
