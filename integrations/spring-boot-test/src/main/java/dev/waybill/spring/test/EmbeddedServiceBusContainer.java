package dev.waybill.spring.test;

import dev.waybill.servicebus.embedded.EmbeddedServiceBus;
import dev.waybill.servicebus.embedded.EmbeddedServiceBusBuilder;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.testcontainers.azure.ServiceBusEmulatorContainer;
import org.testcontainers.images.builder.Transferable;
import org.testcontainers.utility.DockerImageName;

/**
 * The embedded broker in the place of Microsoft's emulator: a container of Testcontainers that needs no Docker,
 * starts in the same process at once, and takes {@code @ServiceConnection}. Libraries that find the emulator by its
 * type or its connection string find this: Waybill, and others that have connection details of their own.
 *
 * <pre>{@code
 * @ServiceConnection
 * static final EmbeddedServiceBusContainer BUS =
 *         new EmbeddedServiceBusContainer(bus -> bus.queue("orders", queue -> queue.requiresSession()));
 * }</pre>
 *
 * <p>It takes no settings of the image, of networks or of the emulator's configuration file.
 */
public final class EmbeddedServiceBusContainer extends ServiceBusEmulatorContainer {
    // Never fetched: a container has to name one.
    private static final DockerImageName IMAGE =
            DockerImageName.parse("mcr.microsoft.com/azure-messaging/servicebus-emulator");

    private final UnaryOperator<EmbeddedServiceBusBuilder> entities;
    private @Nullable EmbeddedServiceBus bus;

    /**
     * A broker that starts when it is first needed.
     *
     * @param entities adds its queues and topics
     */
    public EmbeddedServiceBusContainer(UnaryOperator<EmbeddedServiceBusBuilder> entities) {
        super(IMAGE);
        this.entities = entities;
    }

    @Override
    public synchronized void start() {
        if (bus == null) {
            bus = entities.apply(EmbeddedServiceBus.builder()).start();
        }
    }

    @Override
    public synchronized void stop() {
        if (bus != null) {
            bus.close();
            bus = null;
        }
    }

    @Override
    public synchronized boolean isRunning() {
        return bus != null;
    }

    /** Of the emulator, without a look for Docker: connection details are chosen by it. */
    @Override
    public String getDockerImageName() {
        return IMAGE.asCanonicalNameString();
    }

    @Override
    public String getConnectionString() {
        return bus().connectionString();
    }

    /**
     * The broker, for faults and for a look at what it has.
     *
     * @throws IllegalStateException if it has not been started
     */
    public synchronized EmbeddedServiceBus bus() {
        if (bus == null) {
            throw new IllegalStateException("The embedded broker has not been started; start() does, and so does"
                    + " the context of a test that it is a @ServiceConnection of");
        }
        return bus;
    }

    /** Refuses: the entities are given to the constructor. */
    @Override
    public ServiceBusEmulatorContainer withConfig(Transferable config) {
        throw new UnsupportedOperationException(
                "The embedded broker reads no configuration of the emulator; give its entities to the constructor");
    }
}
