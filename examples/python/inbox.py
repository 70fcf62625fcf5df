"""A ledger: SERVICE_BUS='Endpoint=...' DATABASE=postgresql://... python inbox.py"""

import json
import os
import re
import time

import psycopg
from azure.servicebus import NEXT_AVAILABLE_SESSION, AutoLockRenewer, ServiceBusClient
from azure.servicebus.exceptions import OperationTimeoutError


def id_of(message):
    """The id of the fact: waybill-id if it is the message's own, else the MessageId."""
    id = (message.application_properties or {}).get(b"waybill-id")
    id = id.decode() if isinstance(id, bytes) else id
    if not isinstance(id, str) or id == "":
        return message.message_id
    # A re-driven copy: the id, cut to 101 UTF-16 units and never inside a pair, "~" and a digest.
    start = id.encode("utf-16-le")[:202].decode("utf-16-le", "ignore")
    is_copy = re.fullmatch(re.escape(start) + "~[0-9a-v]{26}", message.message_id or "")
    return id if is_copy or message.message_id == id else message.message_id


def once(db, consumer, message, handle):
    """Commits the id and the effects together, or neither."""
    with db.transaction():
        insert = "insert into inbox (consumer, id) values (%s, %s) on conflict do nothing"
        is_new = db.execute(insert, [consumer, id_of(message)]).rowcount == 1
        if is_new:
            handle(db, message)
        db.execute("select 1")  # fails if handle has swallowed an error: the commit would roll back


def handle_session(session, db, consumer, handle):
    """Handles the messages of one session, one at a time. A failed one ends it: no later message overtakes."""
    while messages := session.receive_messages(max_message_count=1, max_wait_time=1):
        try:
            once(db, consumer, messages[0], handle)
        except Exception:
            time.sleep(min(2 ** messages[0].delivery_count, 60))
            session.abandon_message(messages[0])
            raise
        session.complete_message(messages[0])


def book(db, message):
    """The service's own work. All its effects go through db."""
    cents = json.loads(b"".join(message.body))["cents"]
    insert = "insert into booking (wallet, message, cents) values (%s, %s, %s)"
    db.execute(insert, [message.session_id, id_of(message), cents])


def work(bus, database):
    while True:
        try:
            with (
                psycopg.connect(database, autocommit=True) as db,
                AutoLockRenewer() as renewer,
                bus.get_queue_receiver("wallet-tx", session_id=NEXT_AVAILABLE_SESSION) as session,
            ):
                renewer.register(session, session.session)
                handle_session(session, db, "ledger", book)
        except OperationTimeoutError:
            pass  # No session has a message: the next receiver waits again.
        except Exception as error:
            print(error, flush=True)
            time.sleep(1)


if __name__ == "__main__":
    with ServiceBusClient.from_connection_string(os.environ["SERVICE_BUS"]) as client:
        work(client, os.environ["DATABASE"])
