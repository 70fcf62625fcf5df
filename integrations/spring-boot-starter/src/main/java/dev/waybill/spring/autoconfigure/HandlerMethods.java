package dev.waybill.spring.autoconfigure;

import dev.waybill.inbox.Handler;
import dev.waybill.inbox.SubjectHandlers;
import dev.waybill.spring.BodyConverter;
import dev.waybill.spring.InboxHandler;
import java.lang.reflect.Method;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.aop.framework.autoproxy.AutoProxyUtils;
import org.springframework.aop.scope.ScopedProxyUtils;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.MethodIntrospector;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.annotation.AnnotationUtils;

/** The methods with {@link InboxHandler} of all beans, by destination and subject. */
final class HandlerMethods {
    private static final Logger LOG = LoggerFactory.getLogger(HandlerMethods.class);

    /** How Azure writes a subscription. */
    static final Pattern AZURES_PATH = Pattern.compile("(.+)/subscriptions/([^/]+)", Pattern.CASE_INSENSITIVE);

    private final Map<String, Map<String, HandlerMethod>> found = new LinkedHashMap<>();

    private HandlerMethods() {}

    /** @throws IllegalStateException if a method cannot be a handler, or two handle the same */
    static HandlerMethods in(ConfigurableListableBeanFactory beans, Supplier<BodyConverter> bodies) {
        var methods = new HandlerMethods();
        for (String name : beans.getBeanNamesForType(Object.class, true, false)) {
            Class<?> type =
                    ScopedProxyUtils.isScopedTarget(name) ? null : AutoProxyUtils.determineTargetClass(beans, name);
            if (type != null && AnnotationUtils.isCandidateClass(type, InboxHandler.class)) {
                methods.look(beans, name, type, bodies);
            }
        }
        return methods;
    }

    private void look(
            ConfigurableListableBeanFactory beans, String name, Class<?> type, Supplier<BodyConverter> bodies) {
        Map<Method, InboxHandler> annotated = annotated(type);
        annotated.forEach((method, annotation) -> {
            String destination = resolve(beans, annotation.destination());
            String subject = resolve(beans, annotation.subject());
            HandlerMethod handler = HandlerMethod.of(beans.getBean(name), method, bodies);
            List<String> ofType = subject.isEmpty() ? handler.subjects() : List.of();
            (ofType.isEmpty() ? List.of(subject) : ofType).forEach(each -> add(destination, each, handler));
        });
    }

    // A bean may have methods with types that are not on the class path, and work all the same.
    private static Map<Method, InboxHandler> annotated(Class<?> type) {
        try {
            return MethodIntrospector.selectMethods(type, (MethodIntrospector.MetadataLookup<InboxHandler>)
                    method -> AnnotatedElementUtils.findMergedAnnotation(method, InboxHandler.class));
        } catch (LinkageError | TypeNotPresentException e) {
            LOG.debug("The methods of {} cannot be looked at", type, e);
            return Map.of();
        }
    }

    private static String resolve(ConfigurableListableBeanFactory beans, String text) {
        @Nullable String resolved = beans.resolveEmbeddedValue(text);
        return resolved == null ? "" : resolved;
    }

    private void add(String destination, String subject, HandlerMethod method) {
        var other =
                found.computeIfAbsent(destination, key -> new LinkedHashMap<>()).putIfAbsent(subject, method);
        if (other != null) {
            throw new IllegalStateException(
                    "@InboxHandler " + other + " and " + method + " handle the same messages of '" + destination + "': "
                            + (subject.isEmpty() ? "all that no other does" : "subject '" + subject + "'"));
        }
    }

    /** The handler of a destination; null if no method is one. */
    @Nullable Handler of(String destination) {
        Map<String, HandlerMethod> methods = found.get(destination);
        if (methods == null) {
            return null;
        }
        var bySubject = SubjectHandlers.builder();
        methods.forEach((subject, method) -> {
            if (subject.isEmpty()) {
                bySubject.otherwise(method);
            } else {
                bySubject.on(subject, method);
            }
        });
        return methods.size() == 1 && methods.containsKey("") ? methods.get("") : bySubject.build();
    }

    /** @throws IllegalStateException if a method waits for messages that nobody receives */
    void requireAmong(Set<String> destinations) {
        found.forEach((destination, methods) -> {
            if (!destinations.contains(destination)) {
                throw new IllegalStateException(
                        "@InboxHandler " + methods.values().iterator().next() + " handles messages of '" + destination
                                + "', which " + reason(destination, new TreeSet<>(destinations)));
            }
        });
    }

    private static String reason(String destination, SortedSet<String> destinations) {
        Matcher path = AZURES_PATH.matcher(destination);
        if (path.matches()) {
            return "is the path of a subscription; write '" + path.group(1) + "/" + path.group(2) + "'";
        }
        String below = destination + "/";
        return destinations.stream()
                .filter(each -> each.startsWith(below))
                .findFirst()
                .map(each -> "is a topic here; name one of its subscriptions, as '" + each + "'")
                .orElseGet(() -> "no consumer receives; add it as waybill.consumers.<name>.queue, or .topic and"
                        + " .subscription. There are consumers of " + destinations);
    }
}
