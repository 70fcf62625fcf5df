package dev.waybill.spring.servicebus;

import java.lang.reflect.Method;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

/**
 * The connection details of Spring Cloud Azure, from version 7.3 on. They are reached by name: their type belongs
 * to the library's inside, and is not there in most services.
 */
final class AzureConnectionDetails {
    private static final String TYPE = "com.azure.spring.cloud.autoconfigure.implementation.servicebus.properties"
            + ".AzureServiceBusConnectionDetails";

    private AzureConnectionDetails() {}

    /** The only bean of that type; null if there is none, or several. */
    static @Nullable ServiceBusConnectionDetails in(ConfigurableListableBeanFactory beans) {
        @Nullable ClassLoader loader = beans.getBeanClassLoader();
        if (!ClassUtils.isPresent(TYPE, loader)) {
            return null;
        }
        Class<?> type = ClassUtils.resolveClassName(TYPE, loader);
        @Nullable Object details = beans.getBeanProvider(type).getIfUnique();
        @Nullable Method method = ReflectionUtils.findMethod(type, "getConnectionString");
        return details == null || method == null
                ? null
                : () -> String.valueOf(
                        Objects.requireNonNull(ReflectionUtils.invokeMethod(method, details), "connection string"));
    }
}
