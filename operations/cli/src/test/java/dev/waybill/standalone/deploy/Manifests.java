package dev.waybill.standalone.deploy;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.introspect.Annotated;
import com.fasterxml.jackson.databind.introspect.JacksonAnnotationIntrospector;
import com.marcnuri.helm.Helm;
import com.marcnuri.helm.TemplateCommand;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.yaml.snakeyaml.Yaml;

/** The manifests that Kubernetes would get. */
record Manifests(String text, List<Map<String, Object>> objects) {
    static final Path CHART = Path.of("../../deploy/helm/waybill-relay");

    private static final Path EXAMPLE = CHART.resolve("example.yaml");

    /** Knows what the models know, and takes nothing else: a name that is misspelt is an error. */
    private static final ObjectMapper STRICT = new ObjectMapper()
            .configure(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES, true)
            .setAnnotationIntrospector(new JacksonAnnotationIntrospector() {
                @Override
                public Boolean hasAnySetter(Annotated member) {
                    return false;
                }
            });

    /** The chart with the values of its example, and with those of files over them, as helm renders it. */
    static Manifests rendered(Path... values) {
        TemplateCommand template = new Helm(CHART)
                .template()
                .withName("waybill-relay")
                .withNamespace("shop")
                .withValuesFile(EXAMPLE);
        for (Path file : values) {
            template.withValuesFile(file);
        }
        return of(template.call());
    }

    static Manifests of(String text) {
        var objects = new ArrayList<Map<String, Object>>();
        for (Object document : new Yaml().loadAll(text)) {
            if (document != null) {
                objects.add(asMap(document));
            }
        }
        return new Manifests(text, objects);
    }

    /** The one object of a kind, in the model of its API. */
    <T> T only(Class<T> model) {
        List<T> found = all(model);
        if (found.size() != 1) {
            throw new AssertionError(found.size() + " objects of the kind " + model.getSimpleName());
        }
        return found.get(0);
    }

    <T> List<T> all(Class<T> model) {
        return objects.stream()
                .filter(object -> model.getSimpleName().equals(object.get("kind")))
                .map(object -> STRICT.convertValue(object, model))
                .toList();
    }

    List<String> kinds() {
        return objects.stream()
                .map(object -> String.valueOf(object.get("kind")))
                .toList();
    }

    List<Map<String, Object>> ofKind(String kind) {
        return objects.stream()
                .filter(object -> kind.equals(object.get("kind")))
                .toList();
    }

    @SuppressWarnings("unchecked")
    static Map<String, Object> asMap(Object object) {
        return (Map<String, Object>) object;
    }
}
