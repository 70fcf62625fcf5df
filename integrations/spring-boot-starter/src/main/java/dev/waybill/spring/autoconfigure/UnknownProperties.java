package dev.waybill.spring.autoconfigure;

import dev.waybill.spring.servicebus.ServiceBusProperties;
import java.util.List;
import java.util.stream.StreamSupport;
import org.springframework.boot.context.properties.bind.BindHandler;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.bind.PropertySourcesPlaceholdersResolver;
import org.springframework.boot.context.properties.bind.handler.NoUnboundElementsBindHandler;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.context.properties.source.UnboundElementsSourceFilter;
import org.springframework.core.env.Environment;

/**
 * Refuses properties that no setting has, with the place where each is given: {@code session: true} in the place of
 * {@code sessions: true} would be dropped without a word. Variables of the environment and system properties are not looked at, as
 * Boot itself does not.
 */
final class UnknownProperties {
    private static final String PREFIX = "waybill";
    private static final String SERVICE_BUS = "waybill.servicebus";

    /** Bound by others. */
    private static final List<ConfigurationPropertyName> ELSEWHERE =
            List.of(ConfigurationPropertyName.of(SERVICE_BUS), ConfigurationPropertyName.of("waybill.tracing"));

    private UnknownProperties() {}

    /**
     * Looks at all of them.
     *
     * @throws org.springframework.boot.context.properties.bind.BindException if one is not known; Boot prints it
     *     with its origin
     */
    static void refuse(Environment environment) {
        List<ConfigurationPropertySource> sources = StreamSupport.stream(
                        ConfigurationPropertySources.get(environment).spliterator(), false)
                .toList();
        var placeholders = new PropertySourcesPlaceholdersResolver(environment);
        var strict = new NoUnboundElementsBindHandler(BindHandler.DEFAULT, new UnboundElementsSourceFilter());
        List<ConfigurationPropertySource> own = sources.stream()
                .map(source -> source.filter(UnknownProperties::isOwn))
                .toList();
        new Binder(own, placeholders).bind(PREFIX, Bindable.of(WaybillProperties.class), strict);
        new Binder(sources, placeholders).bind(SERVICE_BUS, Bindable.of(ServiceBusProperties.class), strict);
    }

    private static boolean isOwn(ConfigurationPropertyName name) {
        return ELSEWHERE.stream().noneMatch(other -> other.equals(name) || other.isAncestorOf(name));
    }
}
