package dev.waybill.servicebus.embedded.junit;

import dev.waybill.servicebus.embedded.EmbeddedServiceBus;
import dev.waybill.servicebus.embedded.EmbeddedServiceBusBuilder;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * Runs a broker around tests. In an instance field every test gets a new one; in a static field the tests of the class
 * share one, whose faults are cleared after each. Tests may take the broker as a parameter.
 *
 * <pre>{@code
 * @RegisterExtension
 * final EmbeddedServiceBusExtension bus = EmbeddedServiceBusExtension.with(b -> b.queue("orders"));
 *
 * @Test
 * void a_message_arrives(EmbeddedServiceBus bus) { ... }
 * }</pre>
 */
public final class EmbeddedServiceBusExtension
        implements BeforeAllCallback, BeforeEachCallback, AfterEachCallback, AfterAllCallback, ParameterResolver {
    private final UnaryOperator<EmbeddedServiceBusBuilder> description;
    private @Nullable EmbeddedServiceBus bus;
    private boolean shared;

    private EmbeddedServiceBusExtension(UnaryOperator<EmbeddedServiceBusBuilder> description) {
        this.description = description;
    }

    /** An extension for brokers of this description. */
    public static EmbeddedServiceBusExtension with(UnaryOperator<EmbeddedServiceBusBuilder> description) {
        return new EmbeddedServiceBusExtension(description);
    }

    /**
     * The broker of the running test.
     *
     * @throws IllegalStateException outside a test
     */
    public EmbeddedServiceBus bus() {
        if (bus == null) {
            throw new IllegalStateException("The broker runs only while a test does");
        }
        return bus;
    }

    /** See {@link EmbeddedServiceBus#connectionString()}. */
    public String connectionString() {
        return bus().connectionString();
    }

    @Override
    public void beforeAll(ExtensionContext context) {
        shared = true;
        start();
    }

    @Override
    public void beforeEach(ExtensionContext context) {
        if (!shared) {
            start();
        }
    }

    @Override
    public void afterEach(ExtensionContext context) {
        if (shared) {
            bus().faults().clear();
        } else {
            stop();
        }
    }

    @Override
    public void afterAll(ExtensionContext context) {
        stop();
        shared = false;
    }

    private void start() {
        bus = description.apply(EmbeddedServiceBus.builder()).start();
    }

    private void stop() {
        if (bus != null) {
            bus.close();
            bus = null;
        }
    }

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        return parameter.getParameter().getType() == EmbeddedServiceBus.class;
    }

    @Override
    public EmbeddedServiceBus resolveParameter(ParameterContext parameter, ExtensionContext context) {
        return bus();
    }
}
