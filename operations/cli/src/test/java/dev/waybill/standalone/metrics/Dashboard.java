package dev.waybill.standalone.metrics;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;

/** The dashboard {@code deploy/grafana/waybill.json}, and what its expressions ask Prometheus for. */
record Dashboard(JsonNode json) {
    static final Path FOLDER = Path.of("../../deploy/grafana");
    static final Path FILE = FOLDER.resolve("waybill.json");

    /** Labels that Prometheus gives each series of a scrape. */
    private static final Set<String> OF_THE_SCRAPE = Set.of("job", "namespace", "instance");

    private static final Pattern SELECTOR = Pattern.compile("([a-z_][a-z0-9_]*)\\{([^}]*)}");
    private static final Pattern MATCHER = Pattern.compile("([a-z_]+)(=~|=|!=|!~)\"");
    private static final Pattern BY = Pattern.compile("by \\(([^)]*)\\)");
    private static final Pattern BARE = Pattern.compile("\\b(waybill|hikaricp|jvm|process|system)_\\w+\\b(?!\\{)");
    private static final Pattern LEGEND = Pattern.compile("\\{\\{(\\w+)}}");
    private static final Pattern LABEL_VALUES = Pattern.compile("label_values\\((\\w+)(?:\\{(.*)})?, (\\w+)\\)");

    static Dashboard open() throws IOException {
        return of(Files.readString(FILE));
    }

    static Dashboard of(String json) throws IOException {
        return new Dashboard(new ObjectMapper().readTree(json));
    }

    /** A query, with the legend that names labels of its result. */
    record Query(String where, String expression, String legend) {}

    List<JsonNode> rowsAndPanels() {
        return each(json.path("panels"));
    }

    List<JsonNode> panels() {
        return rowsAndPanels().stream()
                .filter(panel -> !panel.path("type").asText().equals("row"))
                .toList();
    }

    List<JsonNode> variables() {
        return each(json.path("templating").path("list"));
    }

    /** The queries of all panels. */
    List<Query> queries() {
        var queries = new ArrayList<Query>();
        for (JsonNode panel : panels()) {
            for (JsonNode target : panel.path("targets")) {
                queries.add(new Query(
                        panel.path("title").asText() + " "
                                + target.path("refId").asText(),
                        target.path("expr").asText(),
                        target.path("legendFormat").asText()));
            }
        }
        return queries;
    }

    /** Those of its variables, as expressions that keep the label whose values are listed. */
    private List<Query> listings() {
        return variables().stream()
                .filter(variable -> variable.path("type").asText().equals("query"))
                .map(Dashboard::listing)
                .toList();
    }

    private static Query listing(JsonNode variable) {
        String name = variable.path("name").asText();
        Matcher call = LABEL_VALUES.matcher(variable.path("query").path("query").asText());
        if (!call.matches()) {
            throw new AssertionError("Variable " + name + " has a query of another form");
        }
        String matchers = call.group(2) == null ? "" : call.group(2);
        return new Query(name, "max by (%s) (%s{%s})".formatted(call.group(3), call.group(1), matchers), "");
    }

    /** The figures that are asked for and not told: one line for each. */
    List<String> askedInVain(List<Sample> told) {
        var vain = new ArrayList<String>();
        for (Query query : queries()) {
            vain.addAll(askedInVain(query, told));
        }
        for (Query query : listings()) {
            vain.addAll(askedInVain(query, told));
        }
        return vain;
    }

    private static List<String> askedInVain(Query query, List<Sample> told) {
        var vain = new ArrayList<String>();
        found(BARE, query.expression(), 0)
                .forEach(name -> vain.add(query.where() + ": " + name + " without a service"));
        var any = new TreeSet<String>();
        SELECTOR.matcher(query.expression()).results().forEach(selector -> {
            Set<String> labels = labels(selector.group(1), told);
            if (labels.isEmpty()) {
                vain.add(query.where() + ": " + selector.group(1));
            }
            any.addAll(labels);
            missing(found(MATCHER, selector.group(2), 1), labels)
                    .forEach(label -> vain.add(query.where() + ": " + selector.group(1) + " has no label " + label));
        });
        Set<String> kept = kept(query.expression());
        missing(kept, any).forEach(label -> vain.add(query.where() + ": no metric has the label " + label));
        missing(found(LEGEND, query.legend(), 1), kept)
                .forEach(label -> vain.add(query.where() + ": the legend names " + label + ", which is not kept"));
        return vain;
    }

    private static Set<String> labels(String metric, List<Sample> told) {
        Set<String> labels = told.stream()
                .filter(sample -> sample.name().equals(metric))
                .flatMap(sample -> sample.labels().keySet().stream())
                .collect(Collectors.toCollection(TreeSet::new));
        if (told.stream().anyMatch(sample -> sample.name().equals(metric))) {
            labels.addAll(OF_THE_SCRAPE);
        }
        return labels;
    }

    private static Set<String> kept(String expression) {
        return found(BY, expression, 1).stream()
                .flatMap(labels -> List.of(labels.split(", ", -1)).stream())
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static Set<String> missing(Set<String> wanted, Set<String> there) {
        var missing = new TreeSet<>(wanted);
        missing.removeAll(there);
        return missing;
    }

    private static Set<String> found(Pattern pattern, String text, int group) {
        return pattern.matcher(text)
                .results()
                .map((MatchResult result) -> result.group(group))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static List<JsonNode> each(JsonNode array) {
        return StreamSupport.stream(array.spliterator(), false).toList();
    }
}
