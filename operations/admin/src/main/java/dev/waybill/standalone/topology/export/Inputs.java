package dev.waybill.standalone.topology.export;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The parameters of a template, in one order for all formats. */
final class Inputs {
    private Inputs() {}

    static List<Input> of(Template template) {
        var inputs = new ArrayList<Input>();
        inputs.add(new Input(
                Export.NAME,
                Type.TEXT,
                "The namespace's name.",
                template.space().name()));
        inputs.add(new Input(Export.LOCATION, Type.TEXT, "Where it is.", Optional.empty()));
        template.identities().forEach(identity -> inputs.add(text(identity.parameter(), identity.text())));
        inputs.add(text(Export.WORKSPACE, "The Log Analytics workspace for logs and metrics: resource id."));
        inputs.add(text(Export.ACTION_GROUP, "The action group that alerts call: resource id."));
        inputs.add(new Input(
                Export.LOG_ALERT_WANTED,
                Type.FLAG,
                "Whether the alert on exported metrics calls too; otherwise the one on metrics alone.",
                Optional.of("false")));
        inputs.add(number(Template.Parameter.MAX_SIZE));
        template.thresholds().forEach(parameter -> inputs.add(number(parameter)));
        if (template.space().premium()) {
            inputs.add(new Input(Export.UNITS, Type.NUMBER, "Messaging units: 1, 2, 4, 8 or 16.", Optional.of("1")));
            inputs.add(text(Export.SUBNET, "The subnet of the private endpoint: resource id."));
            inputs.add(text(Export.NETWORK, "The virtual network that finds the namespace by its name: resource id."));
        }
        return List.copyOf(inputs);
    }

    private static Input text(String name, String text) {
        return new Input(name, Type.TEXT, text, Optional.empty());
    }

    private static Input number(Template.Parameter parameter) {
        return new Input(
                parameter.name(), Type.NUMBER, parameter.text(), Optional.of(Integer.toString(parameter.usual())));
    }

    /** A parameter with its default. */
    record Input(String name, Type type, String text, Optional<String> usual) {
        boolean isPlain() {
            return type != Type.TEXT;
        }
    }

    enum Type {
        TEXT("string", "string"),
        NUMBER("int", "number"),
        FLAG("bool", "bool");

        private final String azure;
        private final String terraform;

        Type(String azure, String terraform) {
            this.azure = azure;
            this.terraform = terraform;
        }

        String azure() {
            return azure;
        }

        String terraform() {
            return terraform;
        }
    }
}
