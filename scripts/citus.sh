#!/usr/bin/env bash
# A small Citus on this machine: one coordinator and two workers, on the loopback interface, for tests only.
#
#   scripts/citus.sh start [folder]   starts it in a new folder, and prints the connection string of the coordinator
#   scripts/citus.sh stop folder      stops it and removes the folder
#
# PostgreSQL and the extension Citus must be installed. PG_CONFIG names the pg_config of that PostgreSQL; without it the
# one in PATH is taken. PostgreSQL does not run as root: root starts it as CITUS_ACCOUNT (default: postgres).
# CITUS_PORT is the coordinator's port, the workers take the two ports after it (default: 9700).
set -euo pipefail

say() { echo "$*" >&2; }
fail() {
  say "$*"
  exit 1
}

programs="$("${PG_CONFIG:-pg_config}" --bindir)" || fail 'pg_config was not found: set PG_CONFIG'
library="$("${PG_CONFIG:-pg_config}" --pkglibdir)/citus.so"
account="${CITUS_ACCOUNT:-postgres}"
port="${CITUS_PORT:-9700}"
nodes=(coordinator worker1 worker2)

# Runs a program as an account that is not root.
as_account() {
  if [ "$(id -u)" = 0 ]; then
    setpriv --reuid "$account" --regid "$(id -g "$account")" --clear-groups -- "$@"
  else
    "$@"
  fi
}

ask() {
  as_account "$programs/psql" -X -q -t -v ON_ERROR_STOP=1 -h 127.0.0.1 -p "$1" -U tenon -d postgres -c "$2"
}

stop() {
  local folder="$1" node
  for node in "${nodes[@]}"; do
    [ -f "$folder/$node/postmaster.pid" ] || continue
    as_account "$programs/pg_ctl" stop -D "$folder/$node" -m immediate -s || say "$node did not stop"
  done
  rm -rf "$folder"
}

start() {
  local folder="$1" node index=0
  [ -f "$library" ] || fail "Citus is not installed for this PostgreSQL: there is no $library"
  trap 'say "Citus did not start; what the nodes said:"; tail -n 5 "$folder"/*.log >&2 || true; stop "$folder"' ERR
  chmod 711 "$folder"
  for node in "${nodes[@]}"; do
    install -d -m 700 "$folder/$node"
    : >"$folder/$node.log"
    [ "$(id -u)" != 0 ] || chown "$account" "$folder/$node" "$folder/$node.log"
    (
      cd "$folder/$node"
      as_account "$programs/initdb" -D "$folder/$node" -U tenon -A trust -E UTF8 --locale=C --no-sync >/dev/null
      cat >>postgresql.conf <<SETTINGS
shared_preload_libraries = 'citus'
listen_addresses = '127.0.0.1'
port = $((port + index))
unix_socket_directories = ''
max_connections = 200
max_prepared_transactions = 200
shared_buffers = 64MB
fsync = off
full_page_writes = off
wal_level = logical
max_worker_processes = 64
citus.shard_count = 8
citus.recover_2pc_interval = 5s
citus.node_conninfo = 'sslmode=prefer'
citus.enable_statistics_collection = off
SETTINGS
      # Minor versions of 2026 name the plugins that may be used for replication; Citus splits shards with its own.
      plugins="$(as_account "$programs/postgres" -D . -C output_plugin_libraries 2>/dev/null)" &&
        echo "output_plugin_libraries = '$plugins, citus'" >>postgresql.conf
      as_account "$programs/pg_ctl" start -D "$folder/$node" -w -t 60 -s -l "$folder/$node.log" </dev/null >/dev/null 2>&1
    )
    ask "$((port + index))" 'CREATE EXTENSION citus' >/dev/null
    index=$((index + 1))
  done
  ask "$port" "SELECT citus_set_coordinator_host('127.0.0.1', $port)" >/dev/null
  ask "$port" "SELECT citus_add_node('127.0.0.1', $((port + 1))), citus_add_node('127.0.0.1', $((port + 2)))" >/dev/null
  trap - ERR
  say "Citus runs in $folder; scripts/citus.sh stop $folder ends it."
  echo "postgres://tenon@127.0.0.1:$port/postgres"
}

case "${1:-}" in
  start)
    folder="${2:-}"
    if [ -n "$folder" ]; then
      mkdir "$folder" || fail 'the folder must not be there yet'
      folder="$(cd "$folder" && pwd)"
    else
      folder="$(mktemp -d "${TMPDIR:-/tmp}/tenon-citus-XXXXXX")"
    fi
    start "$folder"
    ;;
  stop)
    [ -f "${2:-}/coordinator/PG_VERSION" ] || fail 'usage: scripts/citus.sh stop <folder>'
    stop "$(cd "$2" && pwd)"
    ;;
  *) fail 'usage: scripts/citus.sh start [folder] | stop <folder>' ;;
esac
