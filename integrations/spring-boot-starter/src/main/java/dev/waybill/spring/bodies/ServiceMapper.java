package dev.waybill.spring.bodies;

import dev.waybill.spring.BodyConverter;
import java.util.List;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.util.ClassUtils;

/** The Jackson mapper that the service has, the newer generation if it has both. */
public final class ServiceMapper {
    private static final String JACKSON_3 = "tools.jackson.databind.ObjectMapper";
    private static final String JACKSON_2 = "com.fasterxml.jackson.databind.ObjectMapper";

    private ServiceMapper() {}

    /**
     * A converter by the mapper.
     *
     * @param name of the mapper's bean; null for the only one, or the primary one
     * @throws IllegalStateException if there is none, or which one is meant cannot be told
     */
    public static BodyConverter in(ListableBeanFactory beans, @Nullable String name) {
        if (has(JACKSON_3, beans, name)) {
            return new Jackson3Bodies(bean(beans, name, tools.jackson.databind.ObjectMapper.class));
        }
        if (has(JACKSON_2, beans, name)) {
            return new Jackson2Bodies(bean(beans, name, com.fasterxml.jackson.databind.ObjectMapper.class));
        }
        throw new IllegalStateException(
                name == null
                        ? "There is no ObjectMapper among the beans, which objects as bodies need. Boot makes one with"
                                + " spring-boot-starter-json; a test of one layer gets it by @AutoConfigureJson"
                        : "waybill.object-mapper is '" + name + "', and no ObjectMapper among the beans has that name");
    }

    private static boolean has(String type, ListableBeanFactory beans, @Nullable String name) {
        ClassLoader loader = ServiceMapper.class.getClassLoader();
        if (!ClassUtils.isPresent(type, loader)) {
            return false;
        }
        Class<?> mapper = ClassUtils.resolveClassName(type, loader);
        return name == null
                ? beans.getBeanNamesForType(mapper).length > 0
                : beans.containsBean(name) && beans.isTypeMatch(name, mapper);
    }

    private static <T> T bean(ListableBeanFactory beans, @Nullable String name, Class<T> type) {
        if (name != null) {
            return beans.getBean(name, type);
        }
        @Nullable T only = beans.getBeanProvider(type).getIfUnique();
        if (only == null) {
            throw new IllegalStateException("There are several beans of type ObjectMapper, "
                    + new TreeSet<>(List.of(beans.getBeanNamesForType(type)))
                    + "; name the one for Waybill in waybill.object-mapper, or make it @Primary");
        }
        return only;
    }
}
