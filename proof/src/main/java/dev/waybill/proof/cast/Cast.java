package dev.waybill.proof.cast;

import dev.waybill.embedded.postgres.TcpProxy;
import dev.waybill.proof.database.Servers;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;

/** All processes of a run. Thread-safe, except for closing. */
public final class Cast implements AutoCloseable {
    private static final Map<String, Integer> CONNECTIONS =
            Map.of("relay", 6, "consumer", 20, "writer", 9, "operator", 6);

    private static final long SUPERVISION_MILLIS = 1_000;

    private final Jvm jvm;
    private final Servers servers;
    private final Broker broker;
    private final Map<String, String> common;
    private final List<Member> members = new CopyOnWriteArrayList<>();
    private final Thread supervisor = new Thread(this::supervise, "supervisor");

    /**
     * Nobody is started yet.
     *
     * @param common terms of all members
     */
    public Cast(Jvm jvm, Servers servers, Broker broker, Map<String, String> common) {
        this.jvm = jvm;
        this.servers = servers;
        this.common = Map.copyOf(common);
        this.broker = broker;
        supervisor.setDaemon(true);
        supervisor.start();
    }

    private void supervise() {
        try {
            while (true) {
                TimeUnit.MILLISECONDS.sleep(SUPERVISION_MILLIS);
                members.forEach(Member::supervise);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    public Broker broker() {
        return broker;
    }

    /** A new member, not started. */
    public synchronized Member add(String role) {
        String name = role + "-" + (members(role).size() + 1);
        var database = TcpProxy.to(servers.address());
        TcpProxy link = TcpProxy.to(broker.port());
        var terms = new HashMap<>(common);
        terms.put("name", name);
        terms.put("connections", String.valueOf(CONNECTIONS.get(role)));
        terms.put("jdbc-url", servers.url(database.port()));
        terms.put("service-bus", broker.connectionString(link.port()));
        var member = new Member(role, name, jvm, terms, new Member.Links(database, link));
        members.add(member);
        return member;
    }

    /** Those of a role, dead or alive. */
    public List<Member> members(String role) {
        return members.stream().filter(member -> member.role().equals(role)).toList();
    }

    public List<Member> members() {
        return List.copyOf(members);
    }

    /** Links of the whole cast to the database lead to its primary. */
    public void followPrimary() {
        members.forEach(member -> {
            member.database().leadTo(servers.address().getPort());
            member.database().cut();
        });
    }

    /** The alias of a lost namespace leads to an empty one. */
    public synchronized void followNamespace() {
        broker.beginAnew();
        members.forEach(member -> {
            member.broker().leadTo(broker.port());
            member.broker().cut();
        });
    }

    /** Without a proxy, for the checker alone. */
    public String directServiceBus() {
        return broker.connectionString();
    }

    @Override
    public void close() {
        supervisor.interrupt();
        var ends = new ArrayList<Thread>();
        for (Member member : members) {
            var end = new Thread(member::close);
            end.start();
            ends.add(end);
        }
        for (Thread end : ends) {
            try {
                end.join();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
        broker.close();
    }
}
